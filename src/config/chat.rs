//! What the operator decides about conversations: what becomes of a second message, how long they are kept, and how
//! much may be attached.

use std::num::NonZeroU32;

use clap::Args;
use serde::Deserialize;
use server::chat::SecondMessage;
use server::files::FileLimits;

use super::{ConfigError, Givers};

/// The settings of conversations, as flags and variables.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct ChatSettings {
    /// A message while Rover still works on the one before: `queue`, `replace` or `refuse` [default: queue].
    #[arg(long, global = true, env = "ROVER_SECOND_MESSAGE", value_name = "WHAT")]
    pub(crate) second_message: Option<String>,
    /// Days after which a conversation that nobody wrote in is deleted [default: kept].
    #[arg(long, global = true, env = "ROVER_KEEP_DAYS", value_name = "DAYS")]
    pub(crate) keep_days: Option<NonZeroU32>,
    /// MiB of one attached file [default: 5].
    #[arg(long, global = true, env = "ROVER_FILE_MIB", value_name = "MIB")]
    pub(crate) file_mib: Option<NonZeroU32>,
    /// Files on one message [default: 5].
    #[arg(long, global = true, env = "ROVER_MESSAGE_FILES", value_name = "COUNT")]
    pub(crate) message_files: Option<NonZeroU32>,
    /// MiB of all attached files of one school [default: 2048].
    #[arg(long, global = true, env = "ROVER_SCHOOL_FILES_MIB", value_name = "MIB")]
    pub(crate) school_files_mib: Option<NonZeroU32>,
}

/// The same in the file.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ChatFile {
    second_message: Option<String>,
    keep_days: Option<NonZeroU32>,
    file_mib: Option<NonZeroU32>,
    message_files: Option<NonZeroU32>,
    school_files_mib: Option<NonZeroU32>,
}

/// What holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ChatConfig {
    pub(crate) second_message: SecondMessage,
    pub(crate) keep_days: Option<NonZeroU32>,
    pub(crate) files: FileLimits,
}

impl ChatConfig {
    pub(super) fn merge(
        flags: ChatSettings,
        file: ChatFile,
        givers: &Givers<'_>,
    ) -> Result<Self, ConfigError> {
        let usual = FileLimits::default();
        let mib = |mib: Option<NonZeroU32>| mib.map(|mib| u64::from(mib.get()) << 20);
        let second = flags.second_message.or(file.second_message);
        let second = second.map(|word| word.parse().map_err(|fault| format!("{fault}")));
        Ok(Self {
            second_message: second
                .transpose()
                .map_err(givers.blame("second_message"))?
                .unwrap_or_default(),
            keep_days: flags.keep_days.or(file.keep_days),
            files: FileLimits {
                file: mib(flags.file_mib.or(file.file_mib)).unwrap_or(usual.file),
                message_files: flags
                    .message_files
                    .or(file.message_files)
                    .map_or(usual.message_files, |count| {
                        usize::try_from(count.get()).unwrap_or(usize::MAX)
                    }),
                school: mib(flags.school_files_mib.or(file.school_files_mib))
                    .unwrap_or(usual.school),
            },
        })
    }
}

//! Keys of the server's edge: who else signs people in, which pages may call, how much is done for whom, how it logs.

use std::num::{NonZeroU32, NonZeroU64};

use clap::{Args, ValueEnum};
use serde::Deserialize;
use server::chat::{Allowance, TurnLimits};
use server::http::Origin;
use server::identity::IssuerSettings;

use super::{ConfigError, Givers};

/// Turns that a person may begin within a minute, unless it is said otherwise: more than people write, less than a
/// program that went astray.
const TURNS: u32 = 120;
/// The same for all of a school.
const SCHOOL_TURNS: u32 = 3000;

/// The keys as a flag, a variable or the file gives them.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct EdgeKeys {
    /// Issuer of sign-in tokens that are believed beside Rover's own: the `iss` of its tokens [default: none].
    #[arg(long, global = true, env = "ROVER_JWT_ISSUER", value_name = "ISS")]
    pub(crate) jwt_issuer: Option<String>,
    /// What the `aud` of that issuer's tokens holds.
    #[arg(long, global = true, env = "ROVER_JWT_AUDIENCE", value_name = "AUD")]
    pub(crate) jwt_audience: Option<String>,
    /// That issuer's JWKS: an `https://` address or a file.
    #[arg(long, global = true, env = "ROVER_JWT_KEYS", value_name = "URL|FILE")]
    pub(crate) jwt_keys: Option<String>,
    /// Origins of pages that may call the API, with commas between [default: none but the Hub's].
    #[arg(
        long,
        global = true,
        env = "ROVER_CORS_ORIGINS",
        value_delimiter = ',',
        value_name = "ORIGIN"
    )]
    pub(crate) cors_origins: Option<Vec<String>>,
    /// Whether people reach the server over TLS only, by a proxy in front of it; browsers are then told so [default: false].
    #[arg(long, global = true, env = "ROVER_BEHIND_TLS", num_args = 0..=1, default_missing_value = "true", value_name = "BOOL")]
    pub(crate) behind_tls: Option<bool>,
    /// Turns that a person may begin within a minute; 0 for no limit [default: 120].
    #[arg(long, global = true, env = "ROVER_TURNS_PER_MINUTE", value_name = "NUMBER")]
    pub(crate) turns_per_minute: Option<u32>,
    /// Turns that all of a school may begin within a minute; 0 for no limit [default: 3000].
    #[arg(long, global = true, env = "ROVER_SCHOOL_TURNS_PER_MINUTE", value_name = "NUMBER")]
    pub(crate) school_turns_per_minute: Option<u32>,
    /// Tokens of models that a person may use within a day; 0 for no limit [default: 0].
    #[arg(long, global = true, env = "ROVER_TOKENS_PER_DAY", value_name = "NUMBER")]
    pub(crate) tokens_per_day: Option<u64>,
    /// Tokens of models that all of a school may use within a day; 0 for no limit [default: 0].
    #[arg(long, global = true, env = "ROVER_SCHOOL_TOKENS_PER_DAY", value_name = "NUMBER")]
    pub(crate) school_tokens_per_day: Option<u64>,
    /// How the log is written to standard error [default: text].
    #[arg(long, global = true, env = "ROVER_LOG_FORMAT", value_enum, value_name = "FORMAT")]
    pub(crate) log_format: Option<LogFormat>,
}

/// How the log is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// One JSON object a line, for a collector.
    Json,
}

/// The keys, complete and checked.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Edge {
    /// Who else signs people in.
    pub(crate) issuer: Option<IssuerSettings>,
    /// Pages that may call.
    pub(crate) origins: Vec<Origin>,
    /// Whether TLS stands in front.
    pub(crate) behind_tls: bool,
    /// How much is done for whom.
    pub(crate) limits: TurnLimits,
    /// How the log is written.
    pub(crate) log_format: LogFormat,
}

impl EdgeKeys {
    /// What these say, and where they say nothing, the others.
    pub(super) fn or(self, others: Self) -> Self {
        Self {
            jwt_issuer: self.jwt_issuer.or(others.jwt_issuer),
            jwt_audience: self.jwt_audience.or(others.jwt_audience),
            jwt_keys: self.jwt_keys.or(others.jwt_keys),
            cors_origins: self.cors_origins.or(others.cors_origins),
            behind_tls: self.behind_tls.or(others.behind_tls),
            turns_per_minute: self.turns_per_minute.or(others.turns_per_minute),
            school_turns_per_minute: self
                .school_turns_per_minute
                .or(others.school_turns_per_minute),
            tokens_per_day: self.tokens_per_day.or(others.tokens_per_day),
            school_tokens_per_day: self.school_tokens_per_day.or(others.school_tokens_per_day),
            log_format: self.log_format.or(others.log_format),
        }
    }

    /// The keys with the defaults, or what is wrong with one of them.
    pub(super) fn complete(self, givers: &Givers<'_>) -> Result<Edge, ConfigError> {
        let limits = TurnLimits {
            person: Allowance {
                turns_per_minute: NonZeroU32::new(self.turns_per_minute.unwrap_or(TURNS)),
                tokens_per_day: self.tokens_per_day.and_then(NonZeroU64::new),
            },
            school: Allowance {
                turns_per_minute: NonZeroU32::new(
                    self.school_turns_per_minute.unwrap_or(SCHOOL_TURNS),
                ),
                tokens_per_day: self.school_tokens_per_day.and_then(NonZeroU64::new),
            },
        };
        let origins = self.cors_origins.unwrap_or_default();
        let origins: Result<Vec<Origin>, _> =
            origins.iter().map(|text| text.trim().parse()).collect();
        Ok(Edge {
            origins: origins.map_err(|fault| givers.blame("cors_origins")(fault.to_string()))?,
            behind_tls: self.behind_tls.unwrap_or_default(),
            limits,
            log_format: self.log_format.unwrap_or_default(),
            issuer: issuer(
                [self.jwt_issuer, self.jwt_audience, self.jwt_keys].map(|given| {
                    given.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
                }),
                givers,
            )?,
        })
    }
}

/// All three or none: an issuer whose audience is not checked would let tokens in that were made for others.
fn issuer(
    given: [Option<String>; 3],
    givers: &Givers<'_>,
) -> Result<Option<IssuerSettings>, ConfigError> {
    const NAMES: [&str; 3] = ["jwt_issuer", "jwt_audience", "jwt_keys"];
    let [issuer, audience, keys] = match given {
        [None, None, None] => return Ok(None),
        [Some(issuer), Some(audience), Some(keys)] => [issuer, audience, keys],
        given => {
            let missing = given.iter().position(Option::is_none).unwrap_or_default();
            let problem = "is missing; an issuer needs `jwt_issuer`, `jwt_audience` and `jwt_keys`";
            return Err(givers.blame(NAMES[missing])(problem.to_owned()));
        }
    };
    let keys = keys
        .parse()
        .map_err(|fault: server::identity::NoPlace| givers.blame("jwt_keys")(fault.to_string()))?;
    Ok(Some(IssuerSettings { issuer, audience, keys }))
}

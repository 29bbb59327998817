//! A time zone by its IANA name, looked up once.

use jiff::tz::TimeZone;
use serde::Serialize;

use super::ContextError;

/// A time zone that exists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(into = "String")]
pub struct IanaZone {
    name: String,
    zone: TimeZone,
}

impl IanaZone {
    /// Looks a zone up by name, e.g. `Africa/Kampala`.
    pub fn get(name: &str) -> Result<Self, ContextError> {
        let zone = TimeZone::get(name).map_err(|_| ContextError::Zone(name.to_owned()))?;
        Ok(Self { name: zone.iana_name().unwrap_or(name).to_owned(), zone })
    }

    /// The IANA name, spelled as the list spells it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The zone as a `jiff` value, for reckoning.
    pub fn zone(&self) -> &TimeZone {
        &self.zone
    }
}

impl From<IanaZone> for String {
    fn from(zone: IanaZone) -> Self {
        zone.name
    }
}

//! Bound values: the few types that both databases store alike.
//!
//! Moments are integers, ids and dates are text. Anything richer would sort, compare or hash
//! differently on one of the two databases.

use sqlx::{Arguments, Database, Encode, Type, error::BoxDynError};

/// One value bound to a `$n` of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    Text(Option<String>),
    Int(Option<i64>),
    Bool(bool),
}

impl Value {
    fn add_to<DB>(self, arguments: &mut DB::Arguments) -> Result<(), BoxDynError>
    where
        DB: Database,
        Option<String>: for<'q> Encode<'q, DB> + Type<DB>,
        Option<i64>: for<'q> Encode<'q, DB> + Type<DB>,
        bool: for<'q> Encode<'q, DB> + Type<DB>,
    {
        match self {
            Self::Text(text) => arguments.add(text),
            Self::Int(int) => arguments.add(int),
            Self::Bool(flag) => arguments.add(flag),
        }
    }
}

/// Puts values into the argument buffer of one database, in order.
pub(super) fn arguments<DB>(values: Vec<Value>) -> Result<DB::Arguments, BoxDynError>
where
    DB: Database,
    Option<String>: for<'q> Encode<'q, DB> + Type<DB>,
    Option<i64>: for<'q> Encode<'q, DB> + Type<DB>,
    bool: for<'q> Encode<'q, DB> + Type<DB>,
{
    let mut arguments = DB::Arguments::default();
    for value in values {
        value.add_to::<DB>(&mut arguments)?;
    }
    Ok(arguments)
}

macro_rules! from {
    ($($source:ty => $value:ident => $make:expr),+ $(,)?) => {
        $(impl From<$source> for Value {
            fn from($value: $source) -> Self {
                $make
            }
        })+
    };
}

from! {
    &str => text => Self::Text(Some(text.to_owned())),
    &String => text => Self::Text(Some(text.clone())),
    String => text => Self::Text(Some(text)),
    Option<String> => text => Self::Text(text),
    Option<&str> => text => Self::Text(text.map(str::to_owned)),
    i64 => int => Self::Int(Some(int)),
    Option<i64> => int => Self::Int(int),
    bool => flag => Self::Bool(flag),
}

/// The values of one statement, in the order of its parameters.
macro_rules! values {
    ($($value:expr),* $(,)?) => {
        vec![$($crate::db::Value::from($value)),*]
    };
}
pub(crate) use values;

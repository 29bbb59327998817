//! Who calls, and how we know: signed tokens in, vouched identities out.
//!
//! A person signs in and gets a JWT, or brings one of an issuer that the operator names; a turn gets a context token
//! that its worker echoes on every call. Ours are signed with keys of this server, and the worker signs each call and
//! event with a key that is enrolled here. Nothing else makes an identity, with one exception: [`IdentityMode::Plain`],
//! by which an operator lets a worker that cannot echo a token (a Nest one) speak for anybody. A
//! [`TenantScope`](crate::db::TenantScope) for a call or a request comes from here and from nowhere else.

mod context_token;
mod enrolment;
mod issuer;
mod keys;
mod offer;
mod runs;
mod sign_in;
mod vouched;

#[cfg(test)]
mod tests;

pub use context_token::{ContextFault, ContextTokens, MintedContext, TurnClaims, VerifiedContext};
pub use enrolment::{Enrolment, IdentityMode};
pub(crate) use enrolment::{ProofFault, Signer};
pub use issuer::{Issuer, IssuerSettings, KeysAt, KeysFault, NoPlace, Subject};
pub use keys::{KeyError, KeyPurpose, KeyRing};
pub use offer::TurnOffer;
pub(crate) use runs::{Claim, Run, RunToken, Runs, read as read_key};
pub use sign_in::{MintedSignIn, Principal, SignIn, SignInFault};
pub use vouched::Vouched;

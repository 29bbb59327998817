//! Accounts and passwords. An unknown address and a wrong password are one answer, in the same
//! time.

use agent_contract::AgentIdentity;
use argon2::{
    Argon2,
    password_hash::{PasswordHasher as _, PasswordVerifier as _, phc::PasswordHash},
};
use sqlx::FromRow;

use crate::db::{Database, DbError, statements::people, values};
use crate::identity::Subject;

/// An account, of any school.
#[derive(Clone, FromRow)]
pub struct Account {
    /// User id.
    pub id: String,
    /// The school; none for an account of the platform.
    pub school_id: Option<String>,
    /// Address to sign in with.
    pub email: String,
    /// Full name.
    pub name: String,
    password_hash: String,
    /// Kind of account, as the contract writes it.
    pub user_type: String,
    /// Profile under which the person acts.
    pub profile_id: String,
    /// Whether the account is switched off.
    pub disabled: bool,
}

impl Account {
    /// Whom the account stands for, as tokens say it.
    pub(crate) fn identity(&self) -> Result<AgentIdentity, DbError> {
        let kind = serde_json::Value::from(self.user_type.as_str());
        let user_type = serde_json::from_value(kind)
            .map_err(|_| DbError::Stored("an account of an unknown kind"))?;
        Ok(AgentIdentity {
            sub: self.id.clone(),
            email: self.email.clone(),
            user_type,
            profile_id: self.profile_id.clone(),
            school_id: self.school_id.clone(),
            campus_id: None,
        })
    }
}

impl std::fmt::Debug for Account {
    /// Without the hash.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Account")
            .field("id", &self.id)
            .field("school_id", &self.school_id)
            .finish_non_exhaustive()
    }
}

/// Why somebody could not sign in.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SignInError {
    /// No such address, another password, or an account that is switched off. Which one, we do not
    /// say.
    #[error("the email or the password is wrong")]
    Refused,
    /// The password could not be checked.
    #[error("passwords cannot be checked")]
    Unchecked,
    /// The database failed.
    #[error(transparent)]
    Database(#[from] DbError),
}

/// The enabled account of an address and password.
pub async fn sign_in(
    database: &Database,
    email: &str,
    password: &str,
) -> Result<Account, SignInError> {
    let email = email.trim().to_lowercase();
    let mut system = database.system_read().await?;
    let account: Option<Account> =
        system.optional(people::ACCOUNT_BY_EMAIL, values![email]).await?;
    drop(system);

    let password = password.to_owned();
    let checked = tokio::task::spawn_blocking(move || {
        // Somebody without an account waits as long as somebody with a wrong password.
        let Some(account) = account else {
            let _ = hash_password(&password);
            return Err(SignInError::Refused);
        };
        let hash = PasswordHash::new(&account.password_hash).map_err(|_| SignInError::Unchecked)?;
        let right = Argon2::default().verify_password(password.as_bytes(), &hash).is_ok();
        if right && !account.disabled { Ok(account) } else { Err(SignInError::Refused) }
    });
    checked.await.map_err(|_| SignInError::Unchecked)?
}

/// An account by its id, enabled or not.
pub async fn account(database: &Database, id: &str) -> Result<Option<Account>, DbError> {
    database.system_read().await?.optional(people::ACCOUNT_BY_ID, values![id]).await
}

/// An account by the address it signs in with, enabled or not.
pub async fn account_by_email(
    database: &Database,
    email: &str,
) -> Result<Option<Account>, DbError> {
    let email = email.trim().to_lowercase();
    database.system_read().await?.optional(people::ACCOUNT_BY_EMAIL, values![email]).await
}

/// The account that is linked to a subject of an issuer, enabled or not.
pub async fn account_of(database: &Database, who: &Subject) -> Result<Option<Account>, DbError> {
    let values = values![&who.issuer, &who.subject];
    database.system_read().await?.optional(people::ACCOUNT_BY_SUBJECT, values).await
}

/// Links an account to a subject of an issuer, instead of the one that it was linked to; or to none.
pub(crate) async fn link(
    database: &Database,
    account: &Account,
    to: Option<&Subject>,
) -> Result<(), DbError> {
    let issuer = to.map(|subject| subject.issuer.as_str());
    let subject = to.map(|subject| subject.subject.as_str());
    let mut system = database.system_write().await?;
    system.execute(people::LINK_ACCOUNT, values![&account.id, issuer, subject]).await?;
    system.commit().await
}

/// Hashes a password with argon2id and a salt of its own. It takes its time: not for an async task.
pub(crate) fn hash_password(password: &str) -> Result<String, SignInError> {
    Argon2::default()
        .hash_password(password.as_bytes())
        .map(|hash| hash.to_string())
        .map_err(|_| SignInError::Unchecked)
}

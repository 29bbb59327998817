//! Who may do what. Rows ask through [`authority`].

pub mod authority;

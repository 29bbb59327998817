//! `derive(AuditSubject)`: which record a result names.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, Fields, Ident, LitStr};

use crate::fault::Faults;

/// The whole expansion of `derive(AuditSubject)`.
pub(crate) fn derive(item: TokenStream) -> TokenStream {
    let input: DeriveInput = match syn::parse2(item) {
        Ok(input) => input,
        Err(error) => return error.to_compile_error(),
    };
    let mut faults = Faults::default();
    let kind = kind(&input, &mut faults);
    let id = id(&input, &mut faults);
    let ident = &input.ident;
    let (generics, types, bounds) = input.generics.split_for_impl();
    let id = id.map_or_else(
        || quote!(::std::string::String::new()),
        |field| quote!(::std::string::ToString::to_string(&self.#field)),
    );
    let faults = faults.into_tokens();
    quote! {
        #faults
        #[automatically_derived]
        #[diagnostic::do_not_recommend]
        impl #generics ::agent_contract::AuditSubject for #ident #types #bounds {
            fn subjects(&self) -> ::std::vec::Vec<::agent_contract::Subject> {
                ::std::vec![::agent_contract::Subject::new(#kind, #id)]
            }
        }
    }
}

fn kind(input: &DeriveInput, faults: &mut Faults) -> String {
    let mut kind = None;
    for attribute in input.attrs.iter().filter(|attribute| attribute.path().is_ident("audit")) {
        let read = attribute.parse_nested_meta(|meta| {
            if !meta.path.is_ident("kind") {
                return Err(meta.error("unknown key; expected `#[audit(kind = \"department\")]`"));
            }
            kind = Some(meta.value()?.parse::<LitStr>()?.value());
            Ok(())
        });
        if let Err(error) = read {
            faults.push(error);
        }
    }
    kind.unwrap_or_else(|| {
        faults.at(input.ident.span(), "the audit trail needs the kind of this record; write `#[audit(kind = \"department\")]`");
        String::new()
    })
}

fn id<'a>(input: &'a DeriveInput, faults: &mut Faults) -> Option<&'a Ident> {
    let Data::Struct(data) = &input.data else {
        faults.at(input.ident.span(), "only a struct with named fields can be an audit subject");
        return None;
    };
    let Fields::Named(fields) = &data.fields else {
        faults.at(input.ident.span(), "only a struct with named fields can be an audit subject");
        return None;
    };
    let marked = |field: &&syn::Field| {
        field.attrs.iter().any(|attribute| {
            attribute.path().is_ident("audit")
                && attribute.parse_args::<Ident>().is_ok_and(|word| word == "id")
        })
    };
    let mut found = fields.named.iter().filter(marked);
    let first = found.next();
    if let Some(second) = found.next() {
        faults.push(Error::new_spanned(
            &second.ident,
            "a record has one id; mark one field with `#[audit(id)]`",
        ));
    }
    if first.is_none() {
        faults.at(
            input.ident.span(),
            "the audit trail needs the record's id; mark the field with `#[audit(id)]`",
        );
    }
    first.and_then(|field| field.ident.as_ref())
}

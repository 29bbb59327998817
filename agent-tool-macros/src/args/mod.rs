//! `derive(ToolArgs)`: proves a type fit to stand in a tool's arguments, and tells the contract its fields.

mod shape;

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::DeriveInput;
use syn::spanned::Spanned;

use crate::expand::optional;
use crate::fault::Faults;
use shape::{Body, DataVariant, Field, Shape};

/// The whole expansion of `derive(ToolArgs)`.
pub(crate) fn derive(item: TokenStream) -> TokenStream {
    let input: DeriveInput = match syn::parse2(item) {
        Ok(input) => input,
        Err(error) => return error.to_compile_error(),
    };
    let mut faults = Faults::default();
    let shape = Shape::read(&input, &mut faults);
    let faults = faults.into_tokens();
    let implementation = implementation(&input, &shape);
    quote!(#faults #implementation)
}

fn implementation(input: &DeriveInput, shape: &Shape<'_>) -> TokenStream {
    let ident = &input.ident;
    let (generics, types, bounds) = input.generics.split_for_impl();
    let is_word = matches!(shape.body, Body::Words(_));
    let kind = if is_word { quote!(Enum) } else { quote!(Object) };
    let form = form(&shape.body);
    let pin = pin(&shape.body);
    let root = matches!(shape.body, Body::Struct(_) | Body::Unusable).then(|| {
        let rows = match &shape.body {
            Body::Struct(fields) => fields.iter().map(row).collect(),
            _ => Vec::new(),
        };
        quote! {
            #[automatically_derived]
            #[diagnostic::do_not_recommend]
            impl #generics ::agent_contract::ToolArgs for #ident #types #bounds {
                const FIELDS: &'static [::agent_contract::ArgField] = &[#(#rows),*];
            }
        }
    });
    // A faulty generic type has no constants: they could not name its parameters.
    let checks = input.generics.params.is_empty().then(|| checks(&shape.body));
    quote! {
        #[automatically_derived]
        #[diagnostic::do_not_recommend]
        impl #generics ::agent_contract::ToolArg for #ident #types #bounds {
            const KIND: ::agent_contract::FieldKind = ::agent_contract::FieldKind::#kind;
            const SHAPE: ::agent_contract::ArgShape = ::agent_contract::ArgShape::#form;
            fn pin(
                &mut self,
                pins: &mut ::agent_contract::Pins<'_>,
            ) -> ::core::result::Result<(), ::agent_contract::ToolError> {
                let _ = &pins;
                #pin
                ::core::result::Result::Ok(())
            }
        }
        #root
        #checks
    }
}

/// What an example of the type must look like.
fn form(body: &Body<'_>) -> TokenStream {
    match body {
        Body::Struct(_) => quote!(Object(<Self as ::agent_contract::ToolArgs>::FIELDS)),
        Body::Unusable => quote!(Unusable),
        Body::Data { tag, variants } => {
            let variants = variants.iter().map(|DataVariant { wire, fields, .. }| {
                let rows = fields.iter().map(row);
                quote!((#wire, &[#(#rows),*]))
            });
            quote!(Tagged { tag: #tag, variants: &[#(#variants),*] })
        }
        Body::Words(words) => quote!(Words(&[#(#words),*])),
    }
}

/// Pins every field, at any depth.
fn pin(body: &Body<'_>) -> TokenStream {
    match body {
        Body::Struct(fields) => {
            let pins = fields.iter().filter(|field| !field.skipped).map(|Field { ident, ty, .. }| {
                quote_spanned!(ty.span()=> <#ty as ::agent_contract::ToolArg>::pin(&mut self.#ident, pins)?;)
            });
            quote!(#(#pins)*)
        }
        Body::Data { variants, .. } => {
            let arms = variants.iter().map(|DataVariant { ident: variant, fields, .. }| {
                let names: Vec<&Ident> =
                    fields.iter().filter(|field| !field.skipped).map(|field| field.ident).collect();
                let pins = fields.iter().filter(|field| !field.skipped).map(|Field { ident, ty, .. }| {
                    quote_spanned!(ty.span()=> <#ty as ::agent_contract::ToolArg>::pin(#ident, pins)?;)
                });
                quote!(Self::#variant { #(#names,)* .. } => { #(#pins)* })
            });
            quote!(match self { #(#arms)* })
        }
        Body::Words(_) | Body::Unusable => TokenStream::new(),
    }
}

/// What the contract knows of one argument.
fn row(field: &Field<'_>) -> TokenStream {
    let Field { ident, ty, wire, description, lookup, has_default, .. } = field;
    let name = ident.to_string();
    let required = if *has_default {
        quote!(false)
    } else {
        quote_spanned!(ty.span()=> <#ty as ::agent_contract::ToolArg>::REQUIRED)
    };
    let kind = quote_spanned!(ty.span()=> <#ty as ::agent_contract::ToolArg>::KIND);
    let shape = quote_spanned!(ty.span()=> <#ty as ::agent_contract::ToolArg>::SHAPE_REF);
    let is_id = name == "id" || name.ends_with("_id");
    let lookup = optional(lookup.as_deref());
    quote! {
        ::agent_contract::ArgField {
            name: #name,
            wire: #wire,
            required: #required,
            kind: ::agent_contract::check::kind(#kind, #is_id),
            shape: #shape,
            description: #description,
            lookup: #lookup,
        }
    }
}

/// A campus is a campus type, by trait: an alias of it passes, another type of that name does not.
fn checks(body: &Body<'_>) -> TokenStream {
    let fields: Vec<&Field<'_>> = match body {
        Body::Struct(fields) => fields.iter().collect(),
        Body::Data { variants, .. } => {
            variants.iter().flat_map(|variant| &variant.fields).collect()
        }
        Body::Words(_) | Body::Unusable => Vec::new(),
    };
    let fields = fields.into_iter().filter(|field| !field.skipped);
    let (named, others): (Vec<_>, Vec<_>) = fields.partition(|field| field.campus);
    let check = |field: &Field<'_>| {
        let Field { ident, ty, campus, has_default, .. } = field;
        let name = ident.to_string();
        let campus_use = quote_spanned!(ty.span()=> <#ty as ::agent_contract::ToolArg>::CAMPUS);
        quote_spanned! {ty.span()=>
            ::agent_contract::check::campus(#campus_use, #name, #campus, #has_default);
        }
    };
    let named = named.into_iter().map(check);
    let others = others.into_iter().map(check);
    // A constant costs the compiler as much as a small function, so the fields that are hardly ever at fault share one.
    quote! {
        #(const _: () = { #named };)*
        const _: () = { #(#others)* };
    }
}

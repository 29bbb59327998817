//! An argument type as serde and schemars will read it: wire names, optional fields, what is left out.

use proc_macro2::{Ident, Span};
use syn::meta::ParseNestedMeta;
use syn::visit::Visit;
use syn::{Attribute, Data, DeriveInput, Expr, Fields, LitStr, Path, Token, Type, Variant, token};

use crate::case::Rule;
use crate::check::args as check;
use crate::check::foreign::{Place, attribute_key};
use crate::docs;
use crate::fault::Faults;

/// The type and everything in it.
pub(crate) struct Shape<'a> {
    pub(crate) body: Body<'a>,
}

/// What kind of value the type is.
pub(crate) enum Body<'a> {
    /// An object.
    Struct(Vec<Field<'a>>),
    /// One of several objects, told apart by a tag.
    Data { tag: String, variants: Vec<DataVariant<'a>> },
    /// One of several words.
    Words(Vec<String>),
    /// None of these: a fault.
    Unusable,
}

/// One of the objects.
pub(crate) struct DataVariant<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) wire: String,
    pub(crate) fields: Vec<Field<'a>>,
}

/// One argument.
pub(crate) struct Field<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) ty: &'a Type,
    pub(crate) wire: String,
    pub(crate) description: String,
    /// The name of the tool that finds values for it.
    pub(crate) lookup: Option<String>,
    pub(crate) has_default: bool,
    /// Not read from the wire.
    pub(crate) skipped: bool,
    /// Its name says that it is a campus.
    pub(crate) campus: bool,
}

/// How the forms of an enum are told apart.
#[derive(Default)]
enum Tag {
    /// By the name of a variant.
    #[default]
    None,
    /// By a field of this name.
    Field(LitStr),
    /// By nothing, which is refused where it stands.
    Untagged,
}

/// What the attributes of one item say.
#[derive(Default)]
struct Said {
    closed: bool,
    tag: Tag,
    rename: Option<LitStr>,
    aliases: Vec<LitStr>,
    rename_all: Option<LitStr>,
    rename_all_fields: Option<LitStr>,
    has_default: bool,
    skipped: bool,
}

impl<'a> Shape<'a> {
    /// Reads the type, reporting every broken rule.
    pub(crate) fn read(input: &'a DeriveInput, faults: &mut Faults) -> Self {
        if input.generics.lifetimes().next().is_some() {
            check::borrowed(&input.generics, faults);
            return Self { body: Body::Unusable };
        }
        if !input.generics.params.is_empty() {
            check::generic(&input.generics, faults);
        }
        if let Some(inner) = nested_in_itself(input) {
            check::nested_in_itself(inner, &input.ident, faults);
            return Self { body: Body::Unusable };
        }
        let said = said(&input.attrs, Place::Container, faults);
        let body = match &input.data {
            Data::Struct(data) => match &data.fields {
                Fields::Named(named) => {
                    check::closed(said.closed, &input.ident, faults);
                    let rule = rule(said.rename_all.as_ref(), faults);
                    let read = |field| read_field(field, rule, said.has_default, faults);
                    Body::Struct(named.named.iter().filter_map(read).collect())
                }
                _ => unusable(&input.ident, faults),
            },
            Data::Enum(data) if data.variants.is_empty() => unusable(&input.ident, faults),
            Data::Enum(data) => variants(&input.ident, &data.variants, &said, faults),
            Data::Union(_) => unusable(&input.ident, faults),
        };
        Self { body }
    }
}

/// The field's type in which the type itself is named.
fn nested_in_itself(input: &DeriveInput) -> Option<&Type> {
    let fields: Vec<&syn::Field> = match &input.data {
        Data::Struct(data) => data.fields.iter().collect(),
        Data::Enum(data) => data.variants.iter().flat_map(|variant| &variant.fields).collect(),
        Data::Union(_) => Vec::new(),
    };
    fields.into_iter().map(|field| &field.ty).find(|ty| {
        let mut finder = Named { name: &input.ident, found: false };
        finder.visit_type(ty);
        finder.found
    })
}

/// Looks for a type by its name, or as `Self`.
struct Named<'a> {
    name: &'a Ident,
    found: bool,
}

impl<'ast> Visit<'ast> for Named<'_> {
    fn visit_path(&mut self, path: &'ast Path) {
        self.found |= path.is_ident(self.name) || path.is_ident("Self");
        syn::visit::visit_path(self, path);
    }
}

fn unusable<'a>(ident: &Ident, faults: &mut Faults) -> Body<'a> {
    check::no_object(ident, faults);
    Body::Unusable
}

fn variants<'a>(
    ident: &Ident,
    variants: impl IntoIterator<Item = &'a Variant>,
    container: &Said,
    faults: &mut Faults,
) -> Body<'a> {
    let variants: Vec<&Variant> = variants.into_iter().collect();
    let words = variants.iter().all(|variant| matches!(variant.fields, Fields::Unit));
    let words_rule = rule(container.rename_all.as_ref(), faults);
    let wire = |own: &Said, variant: &Variant| match &own.rename {
        Some(name) => name.value(),
        None => words_rule.variant(&variant.ident.to_string()),
    };
    if words && matches!(container.tag, Tag::None) {
        let mut words = Vec::new();
        for variant in variants {
            let own = said(&variant.attrs, Place::Variant, faults);
            aliases(&own, faults);
            words.push(wire(&own, variant));
        }
        return Body::Words(words);
    }
    match &container.tag {
        // That it has no tag and cannot be closed follows from the one fault.
        Tag::Untagged => {}
        Tag::None => {
            check::closed(container.closed, ident, faults);
            check::tagged(ident, faults);
        }
        Tag::Field(tag) => {
            check::closed(container.closed, ident, faults);
            check::identity(&tag.value(), tag.span(), faults);
            check::wire_name(&tag.value(), tag.span(), faults);
        }
    }
    let shared = rule(container.rename_all_fields.as_ref(), faults);
    let mut read = Vec::new();
    for variant in variants {
        let own = said(&variant.attrs, Place::Variant, faults);
        aliases(&own, faults);
        let rule = own.rename_all.as_ref().map_or(shared, |own| rule(Some(own), faults));
        let fields = match &variant.fields {
            Fields::Named(named) => named
                .named
                .iter()
                .filter_map(|field| read_field(field, rule, false, faults))
                .collect(),
            Fields::Unit => Vec::new(),
            Fields::Unnamed(_) => {
                check::nameless_variant(variant, faults);
                Vec::new()
            }
        };
        read.push(DataVariant { ident: &variant.ident, wire: wire(&own, variant), fields });
    }
    let tag = match &container.tag {
        Tag::Field(tag) => tag.value(),
        Tag::None | Tag::Untagged => String::new(),
    };
    Body::Data { tag, variants: read }
}

fn read_field<'a>(
    field: &'a syn::Field,
    rule: Rule,
    container_default: bool,
    faults: &mut Faults,
) -> Option<Field<'a>> {
    let ident = field.ident.as_ref()?;
    let said = said(&field.attrs, Place::Field, faults);
    let name = ident.to_string().trim_start_matches("r#").to_owned();
    let (wire, span) = match &said.rename {
        Some(literal) => (literal.value(), literal.span()),
        None => (rule.field(&name), ident.span()),
    };
    let description = docs::text(&field.attrs);
    if !said.skipped {
        // Both names are judged, the Rust name first; one field is one fault.
        let _carries_identity = check::identity(&name, ident.span(), faults)
            || (said.rename.is_some() && check::identity(&wire, span, faults));
        check::wire_name(&wire, span, faults);
        check::description(&description, ident, faults);
        aliases(&said, faults);
    }
    Some(Field {
        ident,
        ty: &field.ty,
        campus: check::is_campus(&name) || check::is_campus(&wire),
        wire,
        description,
        lookup: lookup(&field.attrs, faults),
        has_default: said.has_default || container_default,
        skipped: said.skipped,
    })
}

fn aliases(said: &Said, faults: &mut Faults) {
    for alias in &said.aliases {
        check::alias(&alias.value(), alias.span(), faults);
    }
}

fn rule(name: Option<&LitStr>, faults: &mut Faults) -> Rule {
    let Some(name) = name else { return Rule::AsWritten };
    Rule::named(&name.value()).unwrap_or_else(|| {
        check::unknown_case(&name.value(), name.span(), faults);
        Rule::AsWritten
    })
}

fn said(attributes: &[Attribute], place: Place, faults: &mut Faults) -> Said {
    let mut said = Said::default();
    for attribute in attributes {
        let family = match attribute.path() {
            path if path.is_ident("serde") => "serde",
            path if path.is_ident("schemars") => "schemars",
            _ => continue,
        };
        let read = attribute.parse_nested_meta(|meta| said.key(family, &meta, place, faults));
        if let Err(error) = read {
            faults.push(error);
        }
    }
    said
}

impl Said {
    fn key(
        &mut self,
        family: &str,
        meta: &ParseNestedMeta<'_>,
        place: Place,
        faults: &mut Faults,
    ) -> syn::Result<()> {
        let key = meta.path.require_ident()?.clone();
        if family == "schemars" {
            attribute_key(family, &key, place, faults);
            return skip_value(meta);
        }
        match key.to_string().as_str() {
            "alias" => self.aliases.extend(texts(meta)?),
            "rename" if place != Place::Container => self.rename = texts(meta)?.pop(),
            "rename_all" if place != Place::Field => self.rename_all = texts(meta)?.pop(),
            "rename_all_fields" if place == Place::Container => {
                self.rename_all_fields = texts(meta)?.pop();
            }
            "tag" if place == Place::Container => {
                self.tag = texts(meta)?.pop().map_or(Tag::None, Tag::Field);
            }
            word => {
                self.closed |= word == "deny_unknown_fields";
                self.has_default |= word == "default";
                if word == "untagged" {
                    self.tag = Tag::Untagged;
                }
                self.skipped |= word == "skip" || word == "skip_deserializing";
                attribute_key(family, &key, place, faults);
                return skip_value(meta);
            }
        }
        Ok(())
    }
}

/// The strings of `key = "…"` or `key(serialize = "…", deserialize = "…")`; the last one is what is read.
fn texts(meta: &ParseNestedMeta<'_>) -> syn::Result<Vec<LitStr>> {
    if !meta.input.peek(token::Paren) {
        return Ok(vec![meta.value()?.parse()?]);
    }
    let mut texts = Vec::new();
    meta.parse_nested_meta(|inner| {
        let text: LitStr = inner.value()?.parse()?;
        if inner.path.is_ident("serialize") {
            texts.insert(0, text);
        } else {
            texts.push(text);
        }
        Ok(())
    })?;
    Ok(texts)
}

fn skip_value(meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
    if meta.input.peek(Token![=]) {
        let _value: Expr = meta.value()?.parse()?;
    } else if meta.input.peek(token::Paren) {
        let content;
        syn::parenthesized!(content in meta.input);
        let _content: proc_macro2::TokenStream = content.parse()?;
    }
    Ok(())
}

/// The tool named by `#[arg(lookup = find_students)]`.
fn lookup(attributes: &[Attribute], faults: &mut Faults) -> Option<String> {
    let mut found: Option<(String, Span)> = None;
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("arg")) {
        let read = attribute.parse_nested_meta(|meta| {
            if meta.path.is_ident("lookup") {
                let tool: Path = meta.value()?.parse()?;
                found =
                    tool.segments.last().map(|last| (last.ident.to_string(), last.ident.span()));
                return Ok(());
            }
            check::unknown_arg_key(meta.path.require_ident()?, faults);
            skip_value(&meta)
        });
        if let Err(error) = read {
            faults.push(error);
        }
    }
    found.map(|(tool, _)| tool)
}

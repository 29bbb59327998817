//! The attribute and the function as one tool, with every default filled in.

use proc_macro2::{Ident, Span};
use quote::quote;
use syn::punctuated::Punctuated;
use syn::visit_mut::VisitMut;
use syn::{ItemFn, Token, Type, TypeParamBound};

use crate::check;
use crate::docs;
use crate::example::Example;
use crate::fault::Faults;
use crate::parse::Attribute;
use crate::say::{self, Sentence};
use crate::verb::Effect;

/// A tool, as far as the macro can know it.
pub(crate) struct Tool {
    pub(crate) function: ItemFn,
    pub(crate) name: String,
    pub(crate) name_span: Span,
    /// None for a local tool.
    pub(crate) event: Option<(String, Span)>,
    pub(crate) legacy: bool,
    pub(crate) verb: String,
    pub(crate) description: String,
    pub(crate) scope: &'static str,
    pub(crate) posture: Posture,
    pub(crate) roles: Vec<Ident>,
    pub(crate) label: String,
    pub(crate) effect: Effect,
    pub(crate) approval: &'static str,
    pub(crate) say: Vec<Sentence>,
    pub(crate) examples: Vec<Example>,
    /// Whether examples are missing; those that did not parse are not.
    pub(crate) lacks_examples: bool,
    /// None when the function has not the shape of a tool.
    pub(crate) signature: Option<Signature>,
}

/// How the server gates the tool.
pub(crate) enum Posture {
    /// By a permission.
    Casl(Ident, Ident),
    /// By proof that the caller owns the record.
    Relationship,
    /// Not at all: the tool is local, or its posture was faulty.
    None,
}

/// The types of the function.
pub(crate) struct Signature {
    /// The bounds of the `impl …` in the first parameter.
    pub(crate) ports: Punctuated<TypeParamBound, Token![+]>,
    /// The first parameter's type, for the span of a mismatch.
    pub(crate) cx: Type,
    pub(crate) args: Type,
    pub(crate) result: Type,
}

impl Tool {
    /// Fills in the defaults and reports every broken rule.
    pub(crate) fn resolve(attribute: Attribute, function: ItemFn, faults: &mut Faults) -> Self {
        let ident = function.sig.ident.clone();
        let local = attribute.local.is_some();

        let (name, name_span) = match &attribute.name {
            Some(literal) => (literal.value(), literal.span()),
            None => (ident.to_string(), ident.span()),
        };
        let well_formed = check::name::name(&name, name_span, faults);
        let verb = if well_formed {
            check::name::verb(&name, local, attribute.effect.is_some(), name_span, faults)
        } else {
            None
        };
        let word = name.split('_').next().unwrap_or_default().to_owned();

        check::attribute::local_has_no_server_keys(&attribute, faults);
        let event = event(&attribute, &name, name_span);
        if well_formed && !local {
            if let Some(literal) = &attribute.event {
                check::name::event(&literal.value(), &name, literal.span(), faults);
            }
            if let Some(literal) = &attribute.legacy_event {
                check::name::legacy_event(&literal.value(), &name, verb, literal.span(), faults);
            }
        }

        let description = docs::text(&function.attrs);
        check::name::description(&description, &name, ident.span(), faults);
        let scope = check::attribute::scope(&attribute, &ident, faults);
        check::attribute::posture(&attribute, &ident, faults);
        check::attribute::roles(&attribute, &ident, faults);
        let label = check::attribute::label(&attribute, &ident, verb, faults);
        let effect = check::attribute::effect(&attribute, verb, &word, faults);
        let approval = check::attribute::approval(&attribute, faults);
        let posture = posture(&attribute);
        if let (Posture::Casl(action, _), Some(verb)) = (&posture, verb) {
            check::attribute::permission_fits(action, verb, faults);
        }
        let say = say::sentences(&attribute.say, faults);
        let lacks_examples = match &attribute.examples {
            Some(examples) => examples.is_empty(),
            None => !attribute.has("examples"),
        };
        let signature = signature(&function, faults);

        Self {
            name,
            name_span,
            event,
            legacy: attribute.legacy_event.is_some(),
            verb: word,
            description,
            scope,
            posture,
            roles: attribute.roles.map(|roles| roles.names).unwrap_or_default(),
            label,
            effect,
            approval,
            say,
            lacks_examples,
            examples: attribute.examples.unwrap_or_default(),
            signature,
            function,
        }
    }

    /// The name of the kind that decides where the tool runs and what it must return.
    pub(crate) fn kind(&self) -> &'static str {
        match (&self.event, &self.posture, self.effect) {
            (None, ..) => "Local",
            (_, Posture::Relationship, Effect::Read) => "OwnedRead",
            (_, Posture::Relationship, Effect::Write) => "OwnedWrite",
            (_, _, Effect::Read) => "Read",
            (_, _, Effect::Write) => "Write",
        }
    }
}

fn event(attribute: &Attribute, name: &str, name_span: Span) -> Option<(String, Span)> {
    if attribute.local.is_some() {
        return None;
    }
    let given = attribute.legacy_event.as_ref().or(attribute.event.as_ref());
    Some(match given {
        Some(literal) => (literal.value(), literal.span()),
        None => (name.replacen('_', ".", 1), name_span),
    })
}

fn posture(attribute: &Attribute) -> Posture {
    if attribute.local.is_some() {
        return Posture::None;
    }
    let Some(posture) = &attribute.posture else { return Posture::None };
    match (posture.word.to_string().as_str(), &posture.permission) {
        ("casl", Some((action, resource))) => Posture::Casl(action.clone(), resource.clone()),
        ("relationship", _) => Posture::Relationship,
        _ => Posture::None,
    }
}

fn signature(function: &ItemFn, faults: &mut Faults) -> Option<Signature> {
    let (cx, args, result) = check::signature::parts(function, faults)?;
    let mut finder = Ports::default();
    let mut generic = cx.clone();
    finder.visit_type_mut(&mut generic);
    let (Type::Reference(_), Some(ports)) = (cx, finder.found) else {
        check::signature::names_no_ports(cx, faults);
        return None;
    };
    Some(Signature { ports, cx: cx.clone(), args: args.clone(), result: result.clone() })
}

/// Finds the `impl …` in a type, whatever alias it stands in.
#[derive(Default)]
struct Ports {
    found: Option<Punctuated<TypeParamBound, Token![+]>>,
}

impl VisitMut for Ports {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        if let Type::ImplTrait(ports) = ty {
            self.found = Some(ports.bounds.clone());
            *ty = Type::Verbatim(quote!(S));
            return;
        }
        syn::visit_mut::visit_type_mut(self, ty);
    }
}

//! Rules of the function itself. What its types must be is left to traits; only the shape is judged here.

use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{FnArg, ItemFn, ReturnType, Type, TypeReference};

use crate::fault::Faults;

const SHAPE: &str =
    "an agent tool is `async fn name(cx: &ToolCx<impl Ports>, args: Args) -> ToolResult<T>`";

/// The parameter types and the return type, if the function has the shape of a tool.
pub(crate) fn parts<'a>(
    function: &'a ItemFn,
    faults: &mut Faults,
) -> Option<(&'a Type, &'a Type, &'a Type)> {
    let signature = &function.sig;
    if signature.asyncness.is_none() {
        faults.on(signature.fn_token, format!("{SHAPE}; write `async fn`"));
    }
    let is_async = signature.asyncness.is_some();
    if !signature.generics.params.is_empty() {
        faults.on(
            &signature.generics,
            "an agent tool has no type parameters of its own; name its ports in place: `cx: &ToolCx<impl Ports>`",
        );
        return None;
    }
    let result = match &signature.output {
        ReturnType::Type(_, result) => Some(&**result),
        ReturnType::Default => {
            faults.at(signature.ident.span(), format!("{SHAPE}; this one returns nothing"));
            None
        }
    };
    let mut types = signature.inputs.iter().map(|input| match input {
        FnArg::Typed(typed) => Some(&*typed.ty),
        FnArg::Receiver(_) => None,
    });
    let (first, second, rest) = (types.next(), types.next(), types.next());
    let (Some(Some(cx)), Some(Some(args)), None) = (first, second, rest) else {
        faults.at(
            signature.paren_token.span.join(),
            format!("{SHAPE}; this one does not take these two parameters"),
        );
        return None;
    };
    if borrows(args) {
        faults.on(
            args,
            "a tool takes its arguments by value: write a struct with named fields that derives `ToolArgs`, and `String` in it for `&str`",
        );
        return None;
    }
    Some((cx, args, result?)).filter(|_| is_async)
}

/// Whether there is a reference anywhere in the type.
fn borrows(ty: &Type) -> bool {
    #[derive(Default)]
    struct Finder(bool);
    impl<'ast> Visit<'ast> for Finder {
        fn visit_type_reference(&mut self, _: &'ast TypeReference) {
            self.0 = true;
        }
    }
    let mut finder = Finder::default();
    finder.visit_type(ty);
    finder.0
}

/// The first parameter names its ports with `impl`, behind a reference.
pub(crate) fn names_no_ports(cx: &Type, faults: &mut Faults) {
    let at = cx.span();
    let message = "the first parameter must be `cx: &ToolCx<impl Ports>`, naming the ports that the tool needs";
    if matches!(cx, Type::Reference(_)) {
        faults.on(cx, message);
    } else {
        faults.at(at, message);
    }
}

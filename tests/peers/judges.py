"""The vendors' own helpers, asked about tool declarations.

    judges.py < [{"form": "openai-strict", "tools": [ ... ]}, ... ]

`form` is one of canonical (tools as {name, description, schema}), openai, openai-strict, anthropic, gemini (tools as
they stand in a request). Prints one JSON line a judge and tool: {"form", "judge", "tool", "no"}, where `no` is null or why not.
"""

import copy
import json
import sys

from anthropic.lib._parse._transform import transform_schema
from anthropic.types import ToolParam
from google.genai import types as gemini
from jsonschema import Draft202012Validator
from langchain_core.utils.function_calling import convert_to_openai_function, convert_to_openai_tool
from openai.lib._pydantic import _ensure_strict_json_schema
from openai.types.chat import ChatCompletionFunctionToolParam
from pydantic import TypeAdapter

# What OpenAI's guide to structured outputs lists as supported. Its helper leaves what is not in the schema.
OPENAI_STRICT_KEYS = {
    "type", "description", "enum", "anyOf", "properties", "required", "additionalProperties", "items",
    "pattern", "format", "multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
    "minItems", "maxItems",
}


class No(Exception):
    pass


def same(got, wanted, what):
    if got != wanted:
        raise No(f"{what}: {json.dumps(got)} is not {json.dumps(wanted)}")


def typed(typed_dict, declaration):
    """The declaration is of the SDK's type, and has no key that the type has not."""
    same(TypeAdapter(typed_dict).validate_python(declaration), declaration, "the SDK's type changes it")


def strict_keys(node):
    unknown = set(node) - OPENAI_STRICT_KEYS
    if unknown:
        raise No(f"strict does not support {sorted(unknown)}")
    inside = [*node.get("properties", {}).values(), *node.get("anyOf", [])]
    for child in inside + ([node["items"]] if "items" in node else []):
        strict_keys(child)


def openai_plain(tool):
    typed(ChatCompletionFunctionToolParam, tool)
    parameters = tool["function"]["parameters"]
    Draft202012Validator.check_schema(parameters)
    _ensure_strict_json_schema(copy.deepcopy(parameters), path=(), root=copy.deepcopy(parameters))


def openai_strict(tool):
    typed(ChatCompletionFunctionToolParam, tool)
    if tool["function"].get("strict") is not True:
        raise No("it does not say that it is strict")
    parameters = tool["function"]["parameters"]
    Draft202012Validator.check_schema(parameters)
    copied = copy.deepcopy(parameters)
    same(_ensure_strict_json_schema(copied, path=(), root=copied), parameters, "the strict helper changes it")
    strict_keys(parameters)


def anthropic(tool):
    typed(ToolParam, tool)
    schema = tool["input_schema"]
    Draft202012Validator.check_schema(schema)
    transformed = transform_schema(copy.deepcopy(schema))
    if tool.get("strict"):
        same(transformed, schema, "transform_schema changes it")


def gemini_declaration(tool):
    declaration = gemini.FunctionDeclaration.model_validate(tool)
    dumped = declaration.model_dump(mode="json", by_alias=True, exclude_none=True)
    same(dumped, tool, "the SDK's type changes it")
    gemini.Tool(function_declarations=[declaration])


def gemini_canonical(tool):
    gemini.Schema.model_validate(tool["schema"])


def langchain_openai(tool):
    function = tool["function"]
    parts = {key: value for key, value in copy.deepcopy(function).items() if key != "strict"}
    converted = convert_to_openai_function(parts, strict=function.get("strict"))
    same(converted, function, "the converter changes it")


def langchain_anthropic(tool):
    function = convert_to_openai_function(copy.deepcopy(tool))
    same(function["parameters"], tool["input_schema"], "the converter changes it")


def langchain_canonical(tool):
    named = {"title": tool["name"], "description": tool["description"]}
    schema = {key: value for key, value in copy.deepcopy(tool["schema"]).items() if key != "description"}
    function = convert_to_openai_tool({**schema, **named})["function"]
    same([function["name"], function["description"]], [tool["name"], tool["description"]], "it is named anew")
    same(function["parameters"], schema, "the converter changes it")


JUDGES = {
    "canonical": {"google-genai": gemini_canonical, "langchain": langchain_canonical},
    "openai": {"openai": openai_plain, "langchain": langchain_openai},
    "openai-strict": {"openai": openai_strict, "langchain": langchain_openai},
    "anthropic": {"anthropic": anthropic, "langchain": langchain_anthropic},
    "gemini": {"google-genai": gemini_declaration},
}


def main():
    for case in json.load(sys.stdin):
        for tool in case["tools"]:
            for judge, ask in JUDGES[case["form"]].items():
                verdict(case["form"], judge, tool, ask)


def verdict(form, judge, tool, ask):
    try:
        ask(tool)
        no = None
    # Each helper refuses in its own way, an assertion among them; all of it is a no.
    except Exception as refusal:
        no = f"{type(refusal).__name__}: {refusal}"
    name = tool.get("name") or tool.get("function", {}).get("name")
    print(json.dumps({"form": form, "judge": judge, "tool": name, "no": no}))


main()

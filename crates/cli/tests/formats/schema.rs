//! As much of JSON Schema as ours uses; a keyword that is not known here is an error of the schema.

use serde_json::{Map, Value};

/// What is wrong with a value, with the way to it; empty where it is as the schema says.
pub(crate) fn problems(schema: &Value, value: &Value) -> Vec<String> {
    let checker = Checker { root: schema };
    checker.problems(schema, value, "$")
}

struct Checker<'s> {
    root: &'s Value,
}

impl Checker<'_> {
    fn problems(&self, schema: &Value, value: &Value, path: &str) -> Vec<String> {
        let schema = schema.as_object().expect("a schema is an object");
        let mut found = Vec::new();
        for (keyword, rule) in schema {
            found.extend(self.keyword(schema, keyword, rule, value, path));
        }
        found
    }

    fn keyword(
        &self,
        schema: &Map<String, Value>,
        keyword: &str,
        rule: &Value,
        value: &Value,
        path: &str,
    ) -> Vec<String> {
        let wrong = |is_wrong: bool| match is_wrong {
            true => vec![format!("{path}: {value} breaks {keyword} {rule}")],
            false => Vec::new(),
        };
        match keyword {
            "$schema" | "$id" | "$defs" | "title" | "description" => Vec::new(),
            "$ref" => {
                let pointer =
                    rule.as_str().and_then(|it| it.strip_prefix('#')).expect("a local one");
                self.problems(self.root.pointer(pointer).expect("it is defined"), value, path)
            }
            "const" => wrong(value != rule),
            "enum" => wrong(!rule.as_array().expect("a list").contains(value)),
            "type" => wrong(!has_type(value, rule.as_str().expect("one type"))),
            "minimum" => wrong(value.as_f64() < rule.as_f64()),
            // The one pattern that there is: codes of faults.
            "pattern" => wrong(!value.as_str().is_some_and(|text| {
                let digits = text.strip_prefix("HW").unwrap_or_default();
                digits.len() == 3 && digits.bytes().all(|byte| byte.is_ascii_digit())
            })),
            "anyOf" => {
                let mut choices = rule.as_array().expect("a list").iter();
                wrong(!choices.any(|choice| self.problems(choice, value, path).is_empty()))
            }
            "items" => {
                let items = value.as_array().into_iter().flatten().enumerate();
                items
                    .flat_map(|(at, item)| self.problems(rule, item, &format!("{path}[{at}]")))
                    .collect()
            }
            "required" => {
                let names = rule.as_array().expect("a list").iter().filter_map(Value::as_str);
                let missing = names.filter(|name| value.get(name).is_none());
                missing.map(|name| format!("{path}: {name} is missing")).collect()
            }
            "properties" => {
                let rules = rule.as_object().expect("an object");
                let present =
                    rules.iter().filter_map(|(name, rule)| Some((name, rule, value.get(name)?)));
                present
                    .flat_map(|(name, rule, value)| {
                        self.problems(rule, value, &format!("{path}.{name}"))
                    })
                    .collect()
            }
            "additionalProperties" => {
                let known = schema["properties"].as_object().expect("an object");
                let names = value.as_object().into_iter().flat_map(Map::keys);
                let strange = names.filter(|name| !known.contains_key(*name));
                strange.map(|name| format!("{path}: {name} is not in the schema")).collect()
            }
            other => panic!("{path}: the schema has {other}, which this test does not know"),
        }
    }
}

fn has_type(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("no type is called {other}"),
    }
}

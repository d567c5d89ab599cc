"""The data model: YAML to policy to compiler to engine. Knows no HTTP and no chat."""

"""From YAML to the data model: positions, keys, extends, views, policies, checks."""

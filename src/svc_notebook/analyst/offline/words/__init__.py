"""Words: tokens, stems, numbers, cues and general English; nothing here knows a model."""

"""What may be asked for over HTTP: one module for each part of the specification."""

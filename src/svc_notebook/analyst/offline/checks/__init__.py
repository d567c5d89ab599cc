"""What speaks against a reading: words it lost, conditions that deny nothing, what another thing has."""

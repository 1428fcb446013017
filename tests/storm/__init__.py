"""A storm: many programs push the same results over a bad network while all that runs is killed and restarted."""

"""Heroes that learn: the networks, the games they learn from, and training runs."""

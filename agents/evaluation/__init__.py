"""Evaluation: teams of agents over fixed deals, and the figures that results are quoted from."""

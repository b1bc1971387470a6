"""A table becomes a leaderboard, an honest number and a model."""

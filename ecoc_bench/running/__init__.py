"""A plan becomes fits, a store and rows; nothing is drawn."""

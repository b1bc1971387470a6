"""Tables that nobody tuned to: what `try` makes of them in a minute, next to other libraries."""

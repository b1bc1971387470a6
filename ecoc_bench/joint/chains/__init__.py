"""Structured prediction on linear chains: Mohri et al., Section 9.5."""

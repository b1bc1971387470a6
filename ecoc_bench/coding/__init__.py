"""The papers' mathematics, arrays in and out: codes, losses, decoders, likelihood, bounds."""

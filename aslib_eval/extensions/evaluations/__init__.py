"""Logs of evaluation harnesses: Every Eval Ever, Inspect, lm-evaluation-harness, HELM; and their lint."""

"""Prompt texts, one file a task and language: ``prompts/en/answer.txt``."""

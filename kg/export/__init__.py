"""The graph in other forms, and whole workspaces copied."""

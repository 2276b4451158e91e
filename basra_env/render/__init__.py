"""Drawing a table. Importing `basra_env` imports no drawing library."""

-- Trigram indexes make searches by part of a word cheap at any size. The extension is a trusted one: the database's owner may create it.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

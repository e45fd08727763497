-- What searches of one or two letters look up: the first letter and the first two of every word. Those of the first line, a name,
-- are marked: visitors search nothing else. Words end at characters named by number, whatever the database's locale.
-- The server's `search-condition.ts` knows the same characters. `migrate` builds the indexes afterwards, concurrently.
CREATE FUNCTION word_starts(searched text) RETURNS text[]
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN (
    SELECT coalesce(array_agg(DISTINCT part.mark || left(word, letters)), '{}')
    FROM (VALUES
        ('^', split_part(searched, E'\n', 1)),
        ('', substr(searched, strpos(searched || E'\n', E'\n') + 1))
      ) AS part (mark, body),
      regexp_split_to_table(part.body,
        '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u00d7\u00f7\u060c\u061b\u061f\u066a-\u066d\u06d4\u2000-\u206f\u3000-\u303f]+') AS word,
      generate_series(1, 2) AS letters
    WHERE word <> ''
  );

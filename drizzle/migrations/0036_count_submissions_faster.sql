-- A new row has no differences to add up, which took half of its insert.
CREATE OR REPLACE FUNCTION count_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO counts SELECT n.name, n.key, n.amount FROM counts_of_user(NEW) n;
    RETURN NULL;
  END IF;
  INSERT INTO counts SELECT c.name, c.key, sum(c.amount) FROM (
    SELECT o.name, o.key, -o.amount AS amount FROM counts_of_user(OLD) o
    UNION ALL SELECT n.name, n.key, n.amount FROM counts_of_user(NEW) n WHERE TG_OP <> 'DELETE'
  ) c GROUP BY 1, 2 HAVING sum(c.amount) <> 0;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION count_submission() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO counts SELECT n.name, n.key, n.amount FROM counts_of_submission(NEW) n;
    RETURN NULL;
  END IF;
  INSERT INTO counts SELECT c.name, c.key, sum(c.amount) FROM (
    SELECT o.name, o.key, -o.amount AS amount FROM counts_of_submission(OLD) o
    UNION ALL SELECT n.name, n.key, n.amount FROM counts_of_submission(NEW) n WHERE TG_OP <> 'DELETE'
  ) c GROUP BY 1, 2 HAVING sum(c.amount) <> 0;
  RETURN NULL;
END $$;

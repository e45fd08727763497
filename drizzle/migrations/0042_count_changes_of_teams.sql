-- Adds the differences only, as for users and submissions: a verdict changes the points of a team, but not whether it is active.
-- A new row has no differences to add up.
CREATE OR REPLACE FUNCTION count_team() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO counts SELECT n.name, n.key, n.amount FROM counts_of_team(NEW) n;
    RETURN NULL;
  END IF;
  INSERT INTO counts SELECT c.name, c.key, sum(c.amount) FROM (
    SELECT o.name, o.key, -o.amount AS amount FROM counts_of_team(OLD) o
    UNION ALL SELECT n.name, n.key, n.amount FROM counts_of_team(NEW) n WHERE TG_OP <> 'DELETE'
  ) c GROUP BY 1, 2 HAVING sum(c.amount) <> 0;
  RETURN NULL;
END $$;

-- Counts deleted submissions once per statement. Once per row, the deletion of a challenge with thousands of them exceeded the statement
-- timeout. Insertions and updates, of one row each, are still counted per row by `count_submission`, whose case for deletions is unused now.
CREATE FUNCTION count_deleted_submissions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO counts SELECT c.name, c.key, -sum(c.amount)
  FROM deleted d, counts_of_submission(ROW(d.*)::submissions) c GROUP BY 1, 2 HAVING sum(c.amount) <> 0;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- As before, but no longer on deletions.
CREATE OR REPLACE TRIGGER submissions_counted AFTER INSERT ON submissions FOR EACH ROW EXECUTE FUNCTION count_submission();
--> statement-breakpoint
CREATE TRIGGER submissions_uncounted AFTER DELETE ON submissions REFERENCING OLD TABLE AS deleted
  FOR EACH STATEMENT EXECUTE FUNCTION count_deleted_submissions();

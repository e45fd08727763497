-- Waits for transactions that count as before, and keeps writers out until the end: nothing is counted twice or not at all.
LOCK TABLE "users", "warnings", "submissions", "points_ledger" IN SHARE ROW EXCLUSIVE MODE;--> statement-breakpoint
DROP INDEX "points_ledger_newest";--> statement-breakpoint
DROP INDEX "submissions_approved_at";--> statement-breakpoint
DROP INDEX "submissions_works_of_challenge";--> statement-breakpoint
-- `migrate` builds "submissions_approved_of_challenge" afterwards, concurrently.
CREATE FUNCTION day_number(instant timestamptz) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (instant AT TIME ZONE 'UTC')::date - date '1970-01-01';
--> statement-breakpoint
CREATE OR REPLACE FUNCTION counts_of_user(u users) RETURNS TABLE (name text, key integer, amount bigint) LANGUAGE sql AS $$
  SELECT CASE WHEN u.is_banned THEN 'users_banned' ELSE 'users_in_good_standing' END, 0, 1::bigint
  UNION ALL
  SELECT 'users_of_day', day_number(u.created_at), 1::bigint
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION counts_of_submission(s submissions) RETURNS TABLE (name text, key integer, amount bigint) LANGUAGE sql AS $$
  SELECT 'submissions_' || s.status, 0, 1::bigint
  UNION ALL
  SELECT 'submissions_of_day', day_number(s.created_at), 1::bigint
  UNION ALL
  SELECT c.name, c.key, c.amount FROM (VALUES
    ('scores', 0, s.score::bigint),
    ('approvals_of_day', day_number(s.evaluated_at), 1),
    ('scores_of_challenge:' || s.challenge_id, (s.score - 1) / 10, 1)
  ) AS c (name, key, amount) WHERE s.status = 'approved' AND c.key IS NOT NULL AND c.amount IS NOT NULL
$$;
--> statement-breakpoint
CREATE FUNCTION counts_of_points(p points_ledger) RETURNS TABLE (name text, key integer, amount bigint) LANGUAGE sql AS $$
  SELECT 'points_of_day', day_number(p.created_at), p.delta::bigint WHERE p.delta <> 0
$$;
--> statement-breakpoint
CREATE FUNCTION counts_of_warning(w warnings) RETURNS TABLE (name text, key integer, amount bigint) LANGUAGE sql AS $$
  SELECT 'warnings', 0, 1::bigint
$$;
--> statement-breakpoint
-- Adds the differences only: most of what an update of a row counts for is as before.
CREATE OR REPLACE FUNCTION count_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO counts SELECT c.name, c.key, sum(c.amount) FROM (
    SELECT o.name, o.key, -o.amount AS amount FROM counts_of_user(OLD) o WHERE TG_OP <> 'INSERT'
    UNION ALL SELECT n.name, n.key, n.amount FROM counts_of_user(NEW) n WHERE TG_OP <> 'DELETE'
  ) c GROUP BY 1, 2 HAVING sum(c.amount) <> 0;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION count_submission() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO counts SELECT c.name, c.key, sum(c.amount) FROM (
    SELECT o.name, o.key, -o.amount AS amount FROM counts_of_submission(OLD) o WHERE TG_OP <> 'INSERT'
    UNION ALL SELECT n.name, n.key, n.amount FROM counts_of_submission(NEW) n WHERE TG_OP <> 'DELETE'
  ) c GROUP BY 1, 2 HAVING sum(c.amount) <> 0;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION count_points() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN INSERT INTO counts SELECT c.name, c.key, -c.amount FROM counts_of_points(OLD) c; END IF;
  IF TG_OP <> 'DELETE' THEN INSERT INTO counts SELECT c.name, c.key, c.amount FROM counts_of_points(NEW) c; END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION count_warning() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN INSERT INTO counts SELECT c.name, c.key, -c.amount FROM counts_of_warning(OLD) c;
  ELSE INSERT INTO counts SELECT c.name, c.key, c.amount FROM counts_of_warning(NEW) c; END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER users_recounted AFTER UPDATE ON users FOR EACH ROW
  WHEN (OLD.is_banned <> NEW.is_banned OR OLD.created_at <> NEW.created_at) EXECUTE FUNCTION count_user();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER submissions_recounted AFTER UPDATE ON submissions FOR EACH ROW
  WHEN (OLD.status <> NEW.status OR OLD.score IS DISTINCT FROM NEW.score OR OLD.evaluated_at IS DISTINCT FROM NEW.evaluated_at
    OR OLD.created_at <> NEW.created_at OR OLD.challenge_id <> NEW.challenge_id) EXECUTE FUNCTION count_submission();
--> statement-breakpoint
CREATE TRIGGER points_counted AFTER INSERT OR DELETE ON points_ledger FOR EACH ROW EXECUTE FUNCTION count_points();
--> statement-breakpoint
CREATE TRIGGER points_recounted AFTER UPDATE ON points_ledger FOR EACH ROW
  WHEN (OLD.delta <> NEW.delta OR OLD.created_at <> NEW.created_at) EXECUTE FUNCTION count_points();
--> statement-breakpoint
CREATE TRIGGER warnings_counted AFTER INSERT OR DELETE ON warnings FOR EACH ROW EXECUTE FUNCTION count_warning();
--> statement-breakpoint
-- As the functions count, without calling them for each row.
INSERT INTO counts
  SELECT 'users_of_day', day_number(created_at), count(*) FROM users GROUP BY 2
  UNION ALL SELECT 'submissions_of_day', day_number(created_at), count(*) FROM submissions GROUP BY 2
  UNION ALL SELECT 'approvals_of_day', day_number(evaluated_at), count(*) FROM submissions WHERE status = 'approved' GROUP BY 2
  UNION ALL SELECT 'scores_of_challenge:' || challenge_id, (score - 1) / 10, count(*) FROM submissions WHERE status = 'approved' GROUP BY challenge_id, 2
  UNION ALL SELECT 'points_of_day', day_number(created_at), sum(delta) FROM points_ledger GROUP BY 2 HAVING sum(delta) <> 0
  UNION ALL SELECT 'warnings', 0, count(*) FROM warnings HAVING count(*) > 0;

CREATE TABLE "counts" (
	"name" text NOT NULL,
	"key" integer DEFAULT 0 NOT NULL,
	"amount" bigint NOT NULL
);
--> statement-breakpoint
CREATE INDEX "counts_by_key" ON "counts" USING btree ("name","key","amount");--> statement-breakpoint
CREATE INDEX "points_ledger_newest" ON "points_ledger" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "submissions_approved_at" ON "submissions" USING btree ("evaluated_at") WHERE "submissions"."status" = 'approved';--> statement-breakpoint
-- What a row counts for. Named here once: the triggers, the first filling and the check of the invariants all ask these.
-- Volatile although they need not be: others are inlined, which the planner of PostgreSQL 18 stumbles over.
CREATE FUNCTION counts_of_user(u users) RETURNS TABLE (name text, key integer, amount bigint) LANGUAGE sql AS $$
  SELECT CASE WHEN u.is_banned THEN 'users_banned' ELSE 'users_in_good_standing' END, 0, 1::bigint
$$;
--> statement-breakpoint
CREATE FUNCTION counts_of_team(t teams) RETURNS TABLE (name text, key integer, amount bigint) LANGUAGE sql AS $$
  SELECT CASE WHEN t.is_active THEN 'teams_active' ELSE 'teams_inactive' END, 0, 1::bigint
  UNION ALL
  SELECT 'team_points', t.points, 1::bigint WHERE t.is_active OR t.points > 0
$$;
--> statement-breakpoint
CREATE FUNCTION counts_of_submission(s submissions) RETURNS TABLE (name text, key integer, amount bigint) LANGUAGE sql AS $$
  SELECT 'submissions_' || s.status, 0, 1::bigint
  UNION ALL
  SELECT 'scores', 0, s.score::bigint WHERE s.score IS NOT NULL
$$;
--> statement-breakpoint
CREATE FUNCTION count_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN INSERT INTO counts SELECT c.name, c.key, -c.amount FROM counts_of_user(OLD) c; END IF;
  IF TG_OP <> 'DELETE' THEN INSERT INTO counts SELECT c.name, c.key, c.amount FROM counts_of_user(NEW) c; END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION count_team() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN INSERT INTO counts SELECT c.name, c.key, -c.amount FROM counts_of_team(OLD) c; END IF;
  IF TG_OP <> 'DELETE' THEN INSERT INTO counts SELECT c.name, c.key, c.amount FROM counts_of_team(NEW) c; END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION count_submission() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN INSERT INTO counts SELECT c.name, c.key, -c.amount FROM counts_of_submission(OLD) c; END IF;
  IF TG_OP <> 'DELETE' THEN INSERT INTO counts SELECT c.name, c.key, c.amount FROM counts_of_submission(NEW) c; END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- Most updates change nothing that is counted: they do not enter the function.
CREATE TRIGGER users_counted AFTER INSERT OR DELETE ON users FOR EACH ROW EXECUTE FUNCTION count_user();
--> statement-breakpoint
CREATE TRIGGER users_recounted AFTER UPDATE ON users FOR EACH ROW
  WHEN (OLD.is_banned <> NEW.is_banned) EXECUTE FUNCTION count_user();
--> statement-breakpoint
CREATE TRIGGER teams_counted AFTER INSERT OR DELETE ON teams FOR EACH ROW EXECUTE FUNCTION count_team();
--> statement-breakpoint
CREATE TRIGGER teams_recounted AFTER UPDATE ON teams FOR EACH ROW
  WHEN (OLD.is_active <> NEW.is_active OR OLD.points <> NEW.points) EXECUTE FUNCTION count_team();
--> statement-breakpoint
CREATE TRIGGER submissions_counted AFTER INSERT OR DELETE ON submissions FOR EACH ROW EXECUTE FUNCTION count_submission();
--> statement-breakpoint
CREATE TRIGGER submissions_recounted AFTER UPDATE ON submissions FOR EACH ROW
  WHEN (OLD.status <> NEW.status OR OLD.score IS DISTINCT FROM NEW.score) EXECUTE FUNCTION count_submission();
--> statement-breakpoint
-- The triggers' locks keep writers out until the end of the migration: nothing is counted twice or not at all.
INSERT INTO counts
  SELECT c.name, c.key, sum(c.amount) FROM users u, counts_of_user(u) c GROUP BY 1, 2
  UNION ALL SELECT c.name, c.key, sum(c.amount) FROM teams t, counts_of_team(t) c GROUP BY 1, 2
  UNION ALL SELECT c.name, c.key, sum(c.amount) FROM submissions s, counts_of_submission(s) c GROUP BY 1, 2;

CREATE TABLE "idempotency_owners" (
	"owner" text PRIMARY KEY NOT NULL,
	"live" integer NOT NULL
);
--> statement-breakpoint
-- A counter a person: nobody has to count rows, and of claims at once each sees those before it. Addresses of visitors are not limited.
CREATE FUNCTION count_added_idempotency_keys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO idempotency_owners AS o (owner, live)
    SELECT a.owner, count(*) FROM added a WHERE a.owner NOT LIKE 'address:%' GROUP BY a.owner ORDER BY a.owner
    ON CONFLICT (owner) DO UPDATE SET live = o.live + excluded.live;
  IF EXISTS (SELECT FROM idempotency_owners o WHERE o.owner IN (SELECT a.owner FROM added a) AND o.live > 1000) THEN
    RAISE EXCEPTION 'more than 1000 idempotency keys'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'idempotency_owners_live';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION count_removed_idempotency_keys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- In one order: two that remove keys of the same people do not wait for each other.
  PERFORM FROM idempotency_owners o WHERE o.owner IN (SELECT r.owner FROM removed r) ORDER BY o.owner FOR UPDATE;
  UPDATE idempotency_owners o SET live = o.live - r.keys
    FROM (SELECT owner, count(*) AS keys FROM removed GROUP BY owner) r WHERE o.owner = r.owner;
  DELETE FROM idempotency_owners o WHERE o.live <= 0 AND o.owner IN (SELECT r.owner FROM removed r);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER idempotency_keys_added AFTER INSERT ON idempotency_keys REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_added_idempotency_keys();
--> statement-breakpoint
CREATE TRIGGER idempotency_keys_removed AFTER DELETE ON idempotency_keys REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_removed_idempotency_keys();
--> statement-breakpoint
-- The triggers' locks keep writers out until the end of the migration. Who has more than the limit already keeps them.
INSERT INTO idempotency_owners
  SELECT owner, count(*) FROM idempotency_keys WHERE owner NOT LIKE 'address:%' GROUP BY owner;

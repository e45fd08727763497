ALTER TABLE "audit_log" ADD COLUMN "use_key" text;--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "uses" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "last_used_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_use_key_unique" UNIQUE("use_key");
--> statement-breakpoint
-- An entry that counts reads takes one more use, and changes in nothing else.
CREATE OR REPLACE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.use_key IS NOT NULL AND NEW.uses = OLD.uses + 1 AND NEW.last_used_at >= OLD.last_used_at
    AND to_jsonb(NEW) - 'uses' - 'last_used_at' = to_jsonb(OLD) - 'uses' - 'last_used_at' THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'insufficient_privilege';
END $$;

ALTER TABLE "rate_limits" ADD COLUMN "under_way" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "rate_limits" ADD COLUMN "under_way_until" timestamp (3) with time zone;
CREATE TABLE "pending_external_sign_ins" (
	"state_hash" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "pending_external_sign_ins_expires" ON "pending_external_sign_ins" USING btree ("expires_at");
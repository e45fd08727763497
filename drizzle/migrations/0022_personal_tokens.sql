CREATE TABLE "personal_tokens" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"name" text NOT NULL,
	"hash" text NOT NULL,
	"scopes" text[] NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone,
	CONSTRAINT "personal_tokens_hash_unique" UNIQUE("hash"),
	CONSTRAINT "personal_tokens_scopes" CHECK (cardinality("personal_tokens"."scopes") > 0 and "personal_tokens"."scopes" <@ '{read,write,admin}'),
	CONSTRAINT "personal_tokens_admin_expires" CHECK (not ('admin' = any("personal_tokens"."scopes")) or "personal_tokens"."expires_at" is not null)
);
--> statement-breakpoint
ALTER TABLE "refresh_tokens" ADD COLUMN "spent_by" text;--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "token_name" text;--> statement-breakpoint
ALTER TABLE "personal_tokens" ADD CONSTRAINT "personal_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "personal_tokens_name_unique" ON "personal_tokens" USING btree ("user_id",lower("name"));
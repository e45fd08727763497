CREATE TABLE "mail_bounces" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"failures" integer NOT NULL,
	"paused_at" timestamp (3) with time zone,
	CONSTRAINT "mail_bounces_failures" CHECK ("mail_bounces"."failures" > 0)
);
--> statement-breakpoint
ALTER TABLE "mail_bounces" ADD CONSTRAINT "mail_bounces_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
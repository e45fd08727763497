DROP INDEX "notifications_key";--> statement-breakpoint
DROP INDEX "notifications_newest";--> statement-breakpoint
CREATE UNIQUE INDEX "notifications_key" ON "notifications" USING btree ("user_id","key") WHERE "notifications"."key" is not null;--> statement-breakpoint
CREATE INDEX "notifications_newest" ON "notifications" USING btree ("user_id","sequence" DESC NULLS LAST);
-- A team that lost its points stands beside those that never had any: by its name.
UPDATE "teams" SET "points_reached_at" = NULL WHERE "points" = 0 AND "points_reached_at" IS NOT NULL;

/*
 * geometry.h - the caches to model, checked before a long run.
 */
#ifndef RUN_GEOMETRY_H
#define RUN_GEOMETRY_H

/* Checks "SIZE,WAYS,LINE" given as --`name`. Returns 0, or STATUS_USAGE after having said which
 * rule is broken. */
int geometry_check(const char *name, const char *text);

#endif

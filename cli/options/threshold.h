/*
 * threshold.h - the option --threshold.
 */
#ifndef OPTIONS_THRESHOLD_H
#define OPTIONS_THRESHOLD_H

/* Reads "1", "0.5" or "2%" into `*threshold`, percent; 1 for NULL. Returns 0 or STATUS_USAGE. */
int threshold_read(const char *text, double *threshold);

#endif

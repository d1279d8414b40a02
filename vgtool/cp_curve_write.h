/*
 * cp_curve_write.h - the lines of the raw profile that have miss curves. Without --miss-curves=yes
 * there are none.
 */
#ifndef CP_CURVE_WRITE_H
#define CP_CURVE_WRITE_H

/* Writes the line of the header. */
void cp_curve_write_key(void);

/* Writes the records, behind those of data, which gave data their numbers. */
void cp_curve_write(void);

#endif

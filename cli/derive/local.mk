cli_libcli_a_SOURCES += \
	%D%/copy.c \
	%D%/copy.h \
	%D%/depth_limit.c \
	%D%/depth_limit.h \
	%D%/generics.c \
	%D%/generics.h \
	%D%/merge.c \
	%D%/merge.h \
	%D%/part.c \
	%D%/part.h \
	%D%/recursion_fold.c \
	%D%/recursion_fold.h \
	%D%/sections.c \
	%D%/sections.h \
	%D%/startup_profile.c \
	%D%/startup_profile.h

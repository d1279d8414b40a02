cli_libcli_a_SOURCES += \
	%D%/browse_profile.c \
	%D%/browse_profile.h \
	%D%/compare.c \
	%D%/compare.h \
	%D%/flame_output.c \
	%D%/flame_output.h \
	%D%/function_view.c \
	%D%/function_view.h \
	%D%/html_output.c \
	%D%/html_output.h \
	%D%/screen.c \
	%D%/screen.h \
	%D%/show.c \
	%D%/show.h \
	%D%/show_arguments.c \
	%D%/show_memory.c \
	%D%/show_own.c \
	%D%/show_own.h \
	%D%/show_sections.c \
	%D%/show_time.c \
	%D%/show_time.h \
	%D%/view_form.c \
	%D%/view_form.h

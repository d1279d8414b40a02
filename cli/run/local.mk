cli_libcli_la_SOURCES +=

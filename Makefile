.PHONY: start test lint lock bench
start test lint lock bench:
	bin/$@

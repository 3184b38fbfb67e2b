# Countersign. `make help` lists what there is.

PREFIX ?= /usr/local
DESTDIR ?=
SECONDS ?= 60
N ?= 1000

.DEFAULT_GOAL := help
.PHONY: help run test check lint bench bench-check fuzz differential soak build install clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## build, then sign and verify a text in a throw-away store
	@scripts/install-dependencies
	@scripts/build-static
	@scripts/demo

test: ## every test: units, scripts, other libraries, linkage
	@scripts/install-dependencies --for-tests
	@scripts/test

check: ## lint and the unit tests; what to run before a commit
	@scripts/install-dependencies
	@scripts/lint
	@scripts/test --units

lint: ## format, import walls, shell scripts
	@scripts/install-dependencies
	@scripts/lint

bench: ## measure against OpenSSL's own calls in the same process
	@scripts/install-dependencies
	@scripts/build-static
	@scripts/bench

bench-check: ## fail where a ratio or a count of instructions is much worse than it was
	@scripts/install-dependencies
	@scripts/bench --check

fuzz: ## mutate statements, bundles, trust files, JSON and requests for SECONDS each (60), and fail on a crash or a broken rule
	@scripts/install-dependencies
	@scripts/fuzz all '$(SECONDS)'

differential: ## ask both ways of verifying about random signatures and their mutants for SECONDS (60)
	@scripts/install-dependencies
	@scripts/differential '$(SECONDS)'

soak: ## kill the service N times (1000) under load, and account for every statement
	@scripts/install-dependencies --for-tests
	@scripts/build-static
	@Tests/Service/soak '$(N)'

build: ## the release binary: .build-static/release/countersign
	@scripts/install-dependencies
	@scripts/build-static

install: build ## put the commands, man pages, completions and the service's unit under PREFIX (/usr/local)
	@scripts/install '$(PREFIX)' '$(DESTDIR)'

clean: ## remove everything that was built
	rm -rf .build .build-static .venv Benchmarks/.build Benchmarks/JWTKitTwin/.build Fuzz/.build Tests/Counts/.build Tests/Outside/.build

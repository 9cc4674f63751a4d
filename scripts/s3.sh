#!/usr/bin/env bash
# Runs the tests of the store and of `yose solve --scratch s3://...` against a real server that speaks S3,
# moto's, started on loopback. Called by `./test s3`.
set -eu
cd "$(dirname "$0")/.."
venv=target/s3
. scripts/venv.sh
venv "$venv" "moto[server]>=5.1,<6"

# All with the same crates and features: what other parts of ./test have compiled is used as far as the
# feature leaves it alone, and nothing is compiled twice here.
tests() {
    cargo test -q --locked --workspace --exclude yose-py --features yose-cli/s3 "$@"
}
# Compiled before the server starts, so that it runs no longer than the tests.
tests --test model --test damage --test writers --test cli --no-run

# Port 0: whichever is free; the server says which.
log=target/s3/server.log
"$venv/bin/moto_server" -H 127.0.0.1 -p 0 >"$log" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true' EXIT
port=
for _ in $(seq 100); do
    port=$(sed -n 's/.*Running on http:\/\/127\.0\.0\.1:\([0-9]*\).*/\1/p' "$log" | head -n 1)
    [ -n "$port" ] && break
    kill -0 "$server" 2>/dev/null || break
    sleep 0.1
done
if [ -z "$port" ]; then
    echo "The S3 server did not start:" >&2
    cat "$log" >&2
    exit 1
fi

export AWS_ACCESS_KEY_ID=test AWS_SECRET_ACCESS_KEY=test AWS_REGION=us-east-1
export AWS_ENDPOINT_URL="http://127.0.0.1:$port" AWS_ALLOW_HTTP=true
# Loopback is not for a proxy.
export NO_PROXY=127.0.0.1 no_proxy=127.0.0.1
export YOSE_TEST_S3=s3://yose
"$venv/bin/python" - <<END
import urllib.request
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
opener.open(urllib.request.Request("$AWS_ENDPOINT_URL/yose", method="PUT")).read()
END
tests --test model the_same_on_s3
tests --test damage the_state_of_another
tests --test writers
tests --test cli s3::
# Not a test that passes because nothing was there.
for who in "" cli-disk- cli-cluster-; do
    if ! grep -q "PUT /yose/$who.*manifest-" "$log"; then
        echo "The S3 server never saw a manifest ($who)." >&2
        exit 1
    fi
done

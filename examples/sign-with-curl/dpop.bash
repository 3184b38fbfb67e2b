# Calls of API v1 with nothing but curl and openssl. To be sourced; `sign-with-curl` shows how it is used.
#
# SERVER is the service's origin, such as https://sign.example.com; STATE a directory for the key and the tokens (0700).
# No secret is ever an argument of a program: `printf` is built into bash, and curl and openssl read from pipes.

# Base64url without padding (RFC 4648 section 5).
base64url() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }

# The key of this device, made at its first use: Ed25519, whose public half is the last 32 bytes of its DER form.
device_key() {
    [[ -s $STATE/key.pem ]] || (umask 077 && openssl genpkey -algorithm ed25519 -out "$STATE/key.pem")
}

# A proof that we hold the key, for one request (RFC 9449): proof METHOD URL [TOKEN]
proof() {
    local header claims public
    public=$(openssl pkey -in "$STATE/key.pem" -pubout -outform DER | tail -c 32 | base64url)
    header=$(printf '{"alg":"EdDSA","jwk":{"crv":"Ed25519","kty":"OKP","x":"%s"},"typ":"dpop+jwt"}' "$public" | base64url)
    claims=$(printf '"htm":"%s","htu":"%s","iat":%d,"jti":"%s"' "$1" "${2%%\?*}" "$(date +%s)" "$(openssl rand -hex 16)")
    # The token is named by its digest, the newest nonce of the service as it is.
    [[ -z ${3-} ]] || claims+=",\"ath\":\"$(printf '%s' "$3" | openssl dgst -sha256 -binary | base64url)\""
    [[ ! -s $STATE/nonce ]] || claims+=",\"nonce\":\"$(<"$STATE/nonce")\""
    claims=$(printf '{%s}' "$claims" | base64url)
    # openssl signs a file whose size it can see, so what is signed, which is no secret, goes there.
    printf '%s.%s' "$header" "$claims" >"$STATE/signed"
    printf '%s.%s.%s' "$header" "$claims" "$(openssl pkeyutl -sign -rawin -inkey "$STATE/key.pem" -in "$STATE/signed" | base64url)"
}

# call METHOD PATH [CURL OPTION...]: a request with the JSON body of standard input where METHOD is POST or PUT, the proof,
# and the token where there is one. Prints the answer's body; fails, with the problem on standard error, unless it is 2xx.
call() {
    local method=$1 url=$SERVER$2 body='' token='' status turn
    shift 2
    [[ $method == GET || $method == DELETE ]] || body=$(cat)
    [[ ! -s $STATE/token ]] || token=$(<"$STATE/token")
    local options=(--silent --show-error --request "$method" --dump-header "$STATE/headers" --output "$STATE/answer")
    options+=(--write-out '%{http_code}' "$@")
    # The same key for both turns: whatever happens to the first, the second repeats it and does nothing twice.
    [[ $method != POST ]] || options+=(--header "Idempotency-Key: $(openssl rand -hex 16)")
    [[ -z $body ]] || options+=(--header 'Content-Type: application/json' --data-binary @-)
    for turn in 1 2; do
        status=$(printf '%s' "$body" | curl "${options[@]}" "$url" --header @<(
            printf 'DPoP: %s\n' "$(proof "$method" "$url" "$token")"
            [[ -z $token ]] || printf 'Authorization: DPoP %s\n' "$token"
        )) || return 9
        # Every answer has the nonce for the next proof; the first request of all is refused for the lack of one.
        sed -nE 's/^dpop-nonce: *([^ \r]+).*/\1/Ip' "$STATE/headers" >"$STATE/nonce"
        [[ $status == 401 && $turn == 1 ]] || break
        grep -q '"use_dpop_nonce"' "$STATE/answer" || break
    done
    # The answer may hold a token: it does not stay where it was.
    body=$(<"$STATE/answer")
    rm -f "$STATE/answer" "$STATE/headers" "$STATE/signed"
    if [[ $status != 2* ]]; then
        printf '%s\n' "$body" >&2
        return 1
    fi
    printf '%s' "$body"
}

# The value of a member whose value needs no escapes, out of JSON on standard input: ids, tokens, codes, statements.
member() {
    local value
    value=$(sed -nE "s/.*\"$1\":\"([^\"\\\\]*)\".*/\\1/p")
    [[ -n $value ]] && printf '%s\n' "$value"
}

# A text as a JSON string.
quoted() {
    local text=$1
    text=${text//\\/\\\\}
    text=${text//\"/\\\"}
    text=${text//$'\n'/\\n}
    text=${text//$'\t'/\\t}
    printf '"%s"' "$text"
}

package httpapi

// OpenAPI is the description of the API, as it is served.
func OpenAPI() []byte { return openAPI }

// Routes returns the addresses of the API, each with its method before it, and
// their parameters.
func Routes() map[string][]string {
	all := map[string][]string{}
	for _, r := range apiRoutes() {
		all[r.method+" "+r.pattern] = r.params
	}
	return all
}

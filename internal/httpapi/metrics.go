package httpapi

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics are what Prometheus reads.
type metrics struct {
	registry  *prometheus.Registry
	requests  *prometheus.CounterVec
	seconds   *prometheus.HistogramVec
	working   prometheus.Gauge
	positions prometheus.Counter
	panics    prometheus.Counter
	refused   *prometheus.CounterVec
	damaged   prometheus.Counter
}

func newMetrics() *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "threekings_http_requests_total", Help: "Requests by route and status.",
		}, []string{"route", "status"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "threekings_http_request_seconds", Help: "Time from the header to the end of the answer.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}, []string{"route"}),
		working: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "threekings_http_working", Help: "Requests being worked on.",
		}),
		positions: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "threekings_positions_total", Help: "Positions that were looked up for clients.",
		}),
		panics: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "threekings_panics_total", Help: "Requests, and counts of tables, that ended in a panic.",
		}),
		refused: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "threekings_http_refused_total", Help: "Requests that were sent away, by reason.",
		}, []string{"reason"}),
		damaged: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "threekings_damaged_total", Help: "Answers that a damaged table kept from being complete.",
		}),
	}
	m.registry.MustRegister(m.requests, m.seconds, m.working, m.positions, m.panics, m.refused, m.damaged,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

func (m *metrics) done(route string, status int, took time.Duration) {
	m.requests.WithLabelValues(route, strconv.Itoa(status)).Inc()
	m.seconds.WithLabelValues(route).Observe(took.Seconds())
}
